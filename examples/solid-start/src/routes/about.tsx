import { HttpHeader } from "@solidjs/start";

export default function About() {
  return (
    <>
      <HttpHeader name="cache-control" value="public, max-age=60" />
      <p>The same for everybody</p>
    </>
  );
}
