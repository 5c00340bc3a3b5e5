/** Whichever call to storage fails, before or after its effect: nothing is left half done, and starting again works. */
import { watchProcess } from "../_support/faults.ts";
import { MEMORY, PLAIN_STORE } from "../_support/stores.ts";
import { testEveryCall } from "./_every_storage_call.ts";
import { countRows } from "./_service.ts";
import { LOST } from "./_storage_faults.ts";

watchProcess();
testEveryCall([MEMORY, PLAIN_STORE], LOST, countRows("calls to storage that fail"));
