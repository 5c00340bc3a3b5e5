export default async function Preview({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <p>{`For members only: preview ${id}`}</p>;
}
