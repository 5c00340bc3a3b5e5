export default async function Member({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <p>{`For members only: number ${id}`}</p>;
}
