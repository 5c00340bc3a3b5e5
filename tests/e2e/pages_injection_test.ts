import { tellHostilePages } from "./_hostile_pages.ts";

// Only escaping protects these pages. With their policy they are shown in tests/long.
tellHostilePages({ bypassCSP: true });
