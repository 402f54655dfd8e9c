import { isMainThread, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Engine } from './engine/engine.ts';
import { RequestQueue } from './engine/request-queue.ts';
import { maintain, type MaintenanceOrder } from './maintenance.ts';
import type { FromWorker, Request } from './rpc.ts';

/** Entry of the store's threads: the connection's owner or, with an order, a helper. */
function start(): void {
  const port = parentPort;
  if (isMainThread || port === null) return;
  const order = workerData as MaintenanceOrder | undefined;
  if (order?.role === 'maintenance') {
    void maintain(order).then((report) => port.postMessage(report));
    return;
  }
  const send = (message: FromWorker): void => port.postMessage(message);
  const engine = new Engine((problem) => send({ type: 'problem', problem }));
  const queue = new RequestQueue(
    engine,
    (replies) => send({ type: 'replies', replies }),
    () => receiveMessageOnPort(port)?.message as readonly Request[] | undefined,
  );
  port.on('message', (requests: readonly Request[]) => void queue.push(requests));
}

start();
