import { serveWorker } from 'dragoman/isolate'
import { operateOnText, type OperationName, type Output, type TextRequest } from './text-operations.ts'

/** The thread that works on large texts. */

serveWorker<TextRequest, Output<OperationName>>((request) => operateOnText(request, true))
