export default defineEventHandler((event) => goOn(() => auth.signOut(event)));
