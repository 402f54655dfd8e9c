// Starts a stubborn server through a hub, says so, and ends as the first argument tells, without disposing of anything.
import process from 'node:process';
import { Harness, textOf, wicked } from './harness.ts';

const harness = new Harness();
harness.configure({ wicked: wicked('stubborn') });
process.stdout.write(`${textOf(await harness.call('process'))}\n`);
if (process.argv[2] === 'exit') process.exit(0);
if (process.argv[2] === 'throw') {
  setTimeout(() => {
    throw new Error('on purpose');
  }, 0);
}
