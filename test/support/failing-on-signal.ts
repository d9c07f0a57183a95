/** Preloaded into a server: each signal makes an error that no code has foreseen. */
process.on('SIGUSR2', () => void Promise.reject(new Error('The rejection of a test.')))
process.on('SIGHUP', () => {
  throw new Error('The exception of a test.')
})
