import type { Reroute } from "@sveltejs/kit";

/** `/de/members` shows the page of `/members`. */
export const reroute: Reroute = ({ url }) => /^\/de(\/.*)$/.exec(url.pathname)?.[1];
