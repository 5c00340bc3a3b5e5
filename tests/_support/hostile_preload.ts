/** Loaded before everything else, so that what follows never sees another `Response` than one that shares. */
import { installHostileGlobals } from "./hostile_globals.ts";

installHostileGlobals();
