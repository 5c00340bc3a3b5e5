import type { RequestHandler } from "@builder.io/qwik-city";

export const onGet: RequestHandler = ({ json, sharedMap }) => {
  json(200, sharedMap.get("session")?.user ?? null);
};
