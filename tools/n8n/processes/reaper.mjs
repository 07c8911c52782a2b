/**
 * Ends what a program leaves behind. It is told of each process group that is started or has ended, and kills those
 * that are left as soon as the program is gone, even one that was killed itself.
 */
const groups = new Set();

process.on('message', ({ started, ended }) => {
  if (started) groups.add(started);
  groups.delete(ended);
});

process.on('disconnect', () => {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
});
