export default function Static() {
  return <p>For members only: made when the site is built</p>;
}
