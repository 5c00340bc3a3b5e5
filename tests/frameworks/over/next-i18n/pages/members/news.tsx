import type { GetStaticProps } from "next";

export const getStaticProps: GetStaticProps = () => ({
  props: { text: "For members only: news" },
  revalidate: 60,
});

export default function News({ text }: { text: string }) {
  return <p>{text}</p>;
}
