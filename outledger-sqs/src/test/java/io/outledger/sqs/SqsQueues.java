// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** What tests do with queues, past the line that they break. */
final class SqsQueues {

  private static final SqsAsyncClient CLIENT = SharedElasticMq.shared().direct();

  private SqsQueues() {}

  /** Creates a queue, a FIFO queue where its name says so, and returns its URL. */
  static String create(String name) {
    return create(name, Map.of());
  }

  static String create(String name, Map<QueueAttributeName, String> attributes) {
    Map<QueueAttributeName, String> all = new HashMap<>(attributes);
    if (name.endsWith(".fifo")) {
      all.put(QueueAttributeName.FIFO_QUEUE, "true");
    }
    return CLIENT.createQueue(queue -> queue.queueName(name).attributes(all)).join().queueUrl();
  }

  static void delete(String url) {
    CLIENT.deleteQueue(queue -> queue.queueUrl(url)).join();
  }

  /** Takes up to ten messages out of a queue. */
  static List<Message> take(String url) {
    List<Message> messages =
        CLIENT
            .receiveMessage(
                request ->
                    request
                        .queueUrl(url)
                        .maxNumberOfMessages(10)
                        .messageAttributeNames("All")
                        .messageSystemAttributeNamesWithStrings("All"))
            .join()
            .messages();
    for (Message message : messages) {
      CLIENT
          .deleteMessage(request -> request.queueUrl(url).receiptHandle(message.receiptHandle()))
          .join();
    }
    return messages;
  }
}
