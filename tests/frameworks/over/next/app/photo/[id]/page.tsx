export default async function Photo({ params }: { params: Promise<{ id: string }> }) {
  return <p>{`Photo ${(await params).id} for everybody`}</p>;
}
