import { parentPort, workerData } from 'node:worker_threads'
import { createSession, nodeHost } from '@openapi-mcp/core'
import { runJob, type LintJob } from './job.js'

// Takes one job at a time and answers each with its outcome. What goes wrong here ends the thread and is reported by whoever started it.
parentPort!.on('message', (job: LintJob) => {
  void runJob(job, workerData as string, (options) => createSession(nodeHost(), options)).then((outcome) =>
    parentPort!.postMessage(outcome)
  )
})
