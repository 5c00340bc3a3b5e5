export default function Preview() {
  return <p>For members only: photo in the album</p>;
}
