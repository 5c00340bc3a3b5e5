// The session is asked for in the browser.
export const ssr = false;
