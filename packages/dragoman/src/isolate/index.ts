export { createFairQueue, type FairQueue, type Turn } from './fair-queue.ts'
export {
  createIsolatedWorker,
  exitOutOfMemory,
  openWorkerSession,
  serveWorker,
  type IsolatedWorker,
  type WorkerSession,
} from './isolated-worker.ts'
