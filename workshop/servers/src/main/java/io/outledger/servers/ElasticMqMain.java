// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.elasticmq.CreateQueueData;
import org.elasticmq.NodeAddress;
import org.elasticmq.StrictSQSLimits$;
import org.elasticmq.actor.QueueManagerActor;
import org.elasticmq.msg.CreateQueue;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.elasticmq.util.NowProvider;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.Map$;

/** Runs ElasticMQ as a process, with the limits of SQS. */
final class ElasticMqMain {

  static final String READY = "ElasticMQ is up";

  private ElasticMqMain() {}

  /**
   * Starts a server on a port, and runs until it is killed. What follows are FIFO queues to make:
   * {@code name} or {@code name=copy}, with a queue into which each message is copied.
   */
  public static void main(String[] args) {
    int port = Integer.parseInt(args[0]);
    ActorSystem system = ActorSystem.create("elasticmq");
    ActorRef queues =
        system.actorOf(
            Props.create(
                QueueManagerActor.class,
                () ->
                    new QueueManagerActor(
                        new NowProvider(), StrictSQSLimits$.MODULE$, Option.empty())));
    for (int i = 1; i < args.length; i++) {
      String[] names = args[i].split("=", 2);
      CreateQueueData queue = fifo(names[0], names.length < 2 ? null : names[1]);
      queues.tell(new CreateQueue(queue), ActorRef.noSender());
    }
    var unused =
        SQSRestServerBuilder.withActorSystem(system)
            .withQueueManagerActor(queues)
            .withInterface("127.0.0.1")
            .withPort(port)
            .withServerAddress(new NodeAddress("http", "127.0.0.1", port, ""))
            .start()
            .waitUntilStarted();
    System.out.println(READY);
  }

  private static CreateQueueData fifo(String name, @Nullable String copy) {
    return new CreateQueueData(
        name,
        Option.empty(),
        Option.empty(),
        Option.empty(),
        Option.empty(),
        Option.empty(),
        Option.empty(),
        true,
        false,
        Option.apply(copy),
        Option.empty(),
        Map$.MODULE$.empty());
  }
}
