export default defineEventHandler((event) =>
  goOn(async () => {
    const form = await readFormData(event);
    await auth.update(event, { user: { name: String(form.get("name")) } });
    await sendRedirect(event, "./", 303);
  })
);
