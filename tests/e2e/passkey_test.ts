import { tellPasskeyStories } from "./_passkey_stories.ts";

tellPasskeyStories("sqlite");
