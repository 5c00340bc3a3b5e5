export default defineEventHandler((event) => ({ name: event.context.session?.user?.name }));
