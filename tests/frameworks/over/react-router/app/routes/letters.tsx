import type { Route } from "./+types/letters";

export function loader() {
  return { text: "For members only: letters" };
}

export default function Letters({ loaderData: { text } }: Route.ComponentProps) {
  return <p>{text}</p>;
}
