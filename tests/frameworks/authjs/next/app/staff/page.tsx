export default function Staff() {
  return <p>For admins</p>;
}
