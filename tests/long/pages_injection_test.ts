import { tellHostilePages } from "../e2e/_hostile_pages.ts";

tellHostilePages({ bypassCSP: false });
