/** `/de/members` shows the page of `/members`. */
export function reroute({ url }: { url: URL }): string | undefined {
  return /^\/de(\/.*)$/.exec(url.pathname)?.[1];
}
