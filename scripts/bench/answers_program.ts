/**
 * Measures how long answers take, in this process. Its result is a {@linkcode MeasuredAnswers}.
 *
 * @module
 */
import { type AnswersInput, measureAnswers } from "./answers.ts";
import { finish, readInput, tell } from "./program.ts";

const { topics, timing, busy } = readInput<AnswersInput>();
finish(await measureAnswers(new Set(topics), timing, busy, tell));
