export default function About() {
  return <p>The same for everybody</p>;
}
