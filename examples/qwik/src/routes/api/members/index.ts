import type { RequestHandler } from "@builder.io/qwik-city";

export const onGet: RequestHandler = ({ json, sharedMap }) => {
  json(200, { name: sharedMap.get("session").user.name });
};
