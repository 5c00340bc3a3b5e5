import { contestsOnPostgres } from "../_support/postgres_contest.ts";

contestsOnPostgres("The long contests on PostgreSQL", { rounds: 200, alone: 200 });
