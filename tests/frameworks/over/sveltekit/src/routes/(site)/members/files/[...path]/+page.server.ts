import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = () => ({ text: "For members only: data" });
