import type { GetServerSideProps } from "next";

export const getServerSideProps: GetServerSideProps = () =>
  Promise.resolve({ props: { text: "For members only: letters" } });

export default function Letters({ text }: { text: string }) {
  return <p>{text}</p>;
}
