export function headers() {
  return { "cache-control": "public, max-age=60" };
}

export default function About() {
  return <p>The same for everybody</p>;
}
