import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { CreateSession } from '../cli.js'
import { runJob, type LintJob, type LintOutcome } from './job.js'

export interface RunOptions {
  cwd: string
  createSession: CreateSession
  /** Size of all documents together, where it is known. */
  bytes: number
  /** Called after each document with the number of those that are done. */
  onProgress?(done: number): void
}

/** Below that a thread costs more than it brings: it starts in the time in which some hundred kilobytes are linted. */
const WORTH_A_THREAD = { documents: 16, bytes: 3_000_000 }

/** Lints documents, many of them on several threads. The outcomes come in the order of the jobs. */
export async function runJobs(jobs: readonly LintJob[], options: RunOptions): Promise<LintOutcome[]> {
  const threads = threadsFor(jobs.length, options.bytes)
  const outcomes: LintOutcome[] = new Array<LintOutcome>(jobs.length)
  let next = 0
  let done = 0
  const work = async (run: (job: LintJob) => Promise<LintOutcome>): Promise<void> => {
    while (next < jobs.length) {
      const index = next++
      outcomes[index] = await run(jobs[index]!)
      options.onProgress?.(++done)
    }
  }
  const workerFile = threads > 1 ? builtWorker() : undefined
  if (workerFile === undefined) {
    await work((job) => runJob(job, options.cwd, options.createSession))
    return outcomes
  }
  const workers = Array.from({ length: threads }, () => new Worker(workerFile, { workerData: options.cwd }))
  try {
    await Promise.all(workers.map((worker) => work((job) => inWorker(worker, job))))
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
  return outcomes
}

function threadsFor(documents: number, bytes: number): number {
  if (documents < 2 || (documents < WORTH_A_THREAD.documents && bytes < WORTH_A_THREAD.bytes)) return 1
  return Math.min(availableParallelism(), documents)
}

/** The worker beside the bundle; undefined where the sources run, as in tests. */
function builtWorker(): string | undefined {
  const file = fileURLToPath(new URL('../lint-worker.js', import.meta.url))
  return existsSync(file) ? file : undefined
}

function inWorker(worker: Worker, job: LintJob): Promise<LintOutcome> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    }
    const onMessage = (outcome: LintOutcome): void => {
      stop()
      resolve(outcome)
    }
    const onError = (error: Error): void => {
      stop()
      reject(error)
    }
    const onExit = (code: number): void => onError(new Error(`a worker thread ended with code ${code}`))
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.postMessage(job)
  })
}
