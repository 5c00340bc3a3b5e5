export default defineEventHandler((event) => auth.middleware(event));
