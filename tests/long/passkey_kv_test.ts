import { tellPasskeyStories } from "../e2e/_passkey_stories.ts";

tellPasskeyStories("kv");
