export default defineEventHandler((event) =>
  goOn(async () => auth.signIn(event, getRouterParam(event, "provider"), await readFormData(event)))
);
