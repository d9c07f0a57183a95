import { serveWorker, exitOutOfMemory } from 'dragoman/isolate'
import { limitDecompression } from './limit-decompression.ts'
import type { ReadResume, ResumeText } from './formats.ts'
import { parseResume } from './parse-resume.ts'

/** The thread on which resumes are read: a stranger may have made one to take long. */

/** Pictures are not unpacked, and the text and fonts of a resume are far smaller. */
const MAX_INFLATED_BYTES = 128 * 1024 * 1024

const inflation = limitDecompression(MAX_INFLATED_BYTES, exitOutOfMemory)

serveWorker<ResumeText, ReadResume>((request) => {
  inflation.restart()
  return parseResume(request)
})
