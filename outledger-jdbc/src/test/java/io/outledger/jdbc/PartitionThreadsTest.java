// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.publish.BlockingClient;
import io.outledger.publish.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** The threads of a handler's partitions, over an executor that the test works off by hand. */
class PartitionThreadsTest {

  private final Deque<Runnable> queue = new ArrayDeque<>();
  private final List<Integer> done = new ArrayList<>();
  private boolean hasRoom = true;
  private final Executor all =
      task -> {
        if (!hasRoom) {
          throw new RejectedExecutionException("no room for another thread");
        }
        queue.add(task);
      };
  private final SharedThreads shared = new SharedThreads(all, 4);
  private final PartitionThreads threads = shared.of(0);

  private void give(int... tasks) {
    for (int task : tasks) {
      threads.execute(() -> done.add(task));
    }
  }

  private void workOff() {
    while (!queue.isEmpty()) {
      queue.removeFirst().run();
    }
  }

  @Test
  void noMoreThanItsPartIsWithTheSharedThreadsAtATime() {
    give(1, 2, 3, 4);
    assertThat(queue).hasSize(2);
    queue.removeFirst().run();
    assertThat(queue).hasSize(2);
    workOff();
    assertThat(done).containsExactly(1, 2, 3, 4);
  }

  @Test
  void whatWaitsIsDoneByTheThreadAtHandWhereThereIsNoOther() {
    give(1, 2, 3, 4, 5);
    hasRoom = false;
    workOff();
    assertThat(done).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
    hasRoom = true;
    give(6, 7, 8);
    workOff();
    assertThat(done).contains(6, 7, 8);
  }

  @Test
  void whatCannotBeHandedOverIsTheCallersAndTakesNoPlace() {
    hasRoom = false;
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> give(1)).isInstanceOf(RejectedExecutionException.class);
    }
    hasRoom = true;
    give(2, 3, 4);
    assertThat(queue).hasSize(2);
    workOff();
    assertThat(done).containsExactly(2, 3, 4);
  }

  private BlockingClient client(List<Long> sent) {
    return new BlockingClient(
        threads,
        (position, attempt, message) -> {
          sent.add(position);
          return Outcome.PUBLISHED;
        },
        (position, outcome) -> {});
  }

  private static void publish(BlockingClient client, long first, long last) {
    Message message = Message.to("topic", "type").payload(new byte[0]).build();
    for (long position = first; position <= last; position++) {
      client.publish(position, 1, message);
    }
  }

  @Test
  void whatWasTakenBackCostsNoTurnOfTheNextOwnersMessages() {
    List<Long> sent = new ArrayList<>();
    BlockingClient before = client(sent);
    publish(before, 1, 1_000);
    assertThat(before.recall()).hasSize(1_000);
    BlockingClient after = client(sent);
    publish(after, 2_001, 2_003);
    for (int turn = 0; turn < 5; turn++) { // two of them are of what was with the threads already
      queue.removeFirst().run();
    }
    assertThat(sent).containsExactly(2_001L, 2_002L, 2_003L);
    assertThat(queue).isEmpty();
  }

  @Test
  void whatWaitsWhenItsClientIsClosedCostsNoTurnEither() {
    List<Long> sent = new ArrayList<>();
    BlockingClient before = client(sent);
    publish(before, 1, 1_000);
    before.close();
    publish(client(sent), 2_001, 2_001);
    for (int turn = 0; turn < 3; turn++) {
      queue.removeFirst().run();
    }
    assertThat(sent).containsExactly(2_001L);
  }

  @Test
  void taskThatThrowsGivesItsPlaceBack() {
    threads.execute(
        () -> {
          throw new IllegalStateException("refused by the test");
        });
    give(1, 2);
    assertThatThrownBy(() -> queue.removeFirst().run()).isInstanceOf(IllegalStateException.class);
    workOff();
    assertThat(done).containsExactly(1, 2);
  }

  private void own(int partitions) {
    for (int partition = 0; partition < partitions; partition++) {
      shared.owns(partition, true);
    }
  }

  private void giveTo(int partition, int tasks) {
    for (int i = 0; i < tasks; i++) {
      shared.of(partition).execute(() -> done.add(partition));
    }
  }

  @Test
  void howeverManyAreStuckEachPartitionThatIsOwnedHasAThread() {
    own(4);
    for (int partition = 0; partition < 3; partition++) {
      giveTo(partition, 5);
    }
    assertThat(queue).as("one each, which are stuck").hasSize(3);
    queue.clear();
    giveTo(3, 2);
    workOff();
    assertThat(done).containsExactly(3, 3);
  }

  @Test
  void onePartitionUsesHalfWhereTheOthersHaveOrNeedNone() {
    own(2);
    giveTo(0, 5);
    assertThat(queue).hasSize(2);
    giveTo(1, 5);
    assertThat(queue).hasSize(4);
    workOff();
    assertThat(done).hasSize(10);
  }

  @Test
  void whatIsLeftForAPartitionIsUsedOnceItIsOwnedNoLonger() {
    own(4);
    giveTo(0, 2);
    assertThat(queue).hasSize(1);
    shared.owns(3, false);
    assertThat(queue).hasSize(2);
    workOff();
    assertThat(done).containsExactly(0, 0);
  }

  @Test
  void partitionsTakeTurnsWhereThereAreMoreThanThreads() {
    own(6);
    for (int partition = 0; partition < 6; partition++) {
      giveTo(partition, 10);
    }
    assertThat(queue).hasSize(4);
    workOff();
    assertThat(done).hasSize(60);
    assertThat(done.subList(0, 12)).contains(0, 1, 2, 3, 4, 5);
  }
}
