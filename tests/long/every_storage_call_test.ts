/** Every call to storage, in every flow, over every kind of storage, fails in every way. */
import { watchProcess } from "../_support/faults.ts";
import { STORES } from "../_support/stores.ts";
import { testEveryCall } from "../security/_every_storage_call.ts";
import { countRows } from "../security/_service.ts";
import { EVERY } from "../security/_storage_faults.ts";

watchProcess();
testEveryCall(STORES, EVERY, countRows("calls to storage that fail, in every way"));
