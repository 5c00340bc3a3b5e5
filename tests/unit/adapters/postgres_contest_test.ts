import { contestsOnPostgres } from "../../_support/postgres_contest.ts";

contestsOnPostgres("The contests on PostgreSQL", { rounds: 10, alone: 3 });
