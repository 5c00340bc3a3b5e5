import { component$ } from "@builder.io/qwik";
import type { RequestHandler } from "@builder.io/qwik-city";

export const onGet: RequestHandler = ({ cacheControl }) => {
  cacheControl({ public: true, maxAge: 60 });
};

export default component$(() => <p>The same for everybody</p>);
