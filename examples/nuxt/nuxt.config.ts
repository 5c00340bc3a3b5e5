export default defineNuxtConfig({
  compatibilityDate: "2026-11-01",
  routeRules: {
    // Rendered once a minute, for everybody.
    "/about": { swr: 60 },
  },
});
