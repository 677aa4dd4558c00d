// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a saga has done, and how far it has undone that. Where a compensation waits for an answer,
 * what it undoes is the newest that was done, until the answer has come. For one step.
 *
 * @param <S> the class of the saga's state
 */
final class Undoing<S> {

  /** What it is about. */
  private enum Stage {
    /** The saga goes forward. */
    NONE,
    /** A compensation waits for its answer. */
    WAITS,
    /** Compensations run, in this step. */
    RUNS,
    /** One has failed, in this step: nothing of it may take effect. */
    FAILED,
    /** Nothing is left. */
    OVER
  }

  private final SagaDefinition<S> definition;
  private final SagaId id;
  private final List<String> done;
  private Stage stage;
  private boolean isAnswered;
  private @Nullable Throwable failure;

  /**
   * Makes it as a saga is before the step.
   *
   * @param before the saga; null for a new one
   * @param message the class of the message that the step is for
   */
  Undoing(SagaDefinition<S> definition, SagaId id, @Nullable SagaRow before, Class<?> message) {
    this.definition = definition;
    this.id = id;
    this.done = new ArrayList<>(before == null ? List.of() : before.progress().done());
    boolean waits = before != null && before.phase() == SagaPhase.COMPENSATING && !done.isEmpty();
    this.stage = waits ? Stage.WAITS : Stage.NONE;
    this.isAnswered = waits && undo(newest()).answers().contains(message);
  }

  List<String> done() {
    return List.copyOf(done);
  }

  SagaPhase phase() {
    return stage == Stage.NONE ? SagaPhase.RUNNING : SagaPhase.COMPENSATING;
  }

  boolean isOver() {
    return stage == Stage.OVER;
  }

  /** Notes what was done. It is undone before all others, but for what is being undone. */
  void add(String name) {
    undo(name);
    if (stage == Stage.OVER) {
      throw invalid(
          "a step calls done(\""
              + name
              + "\") after the last compensation, and the saga ends, so nothing would undo it; call"
              + " done(…) before compensate()",
          null);
    }
    done.add(stage == Stage.NONE || done.isEmpty() ? done.size() : done.size() - 1, name);
  }

  /**
   * Runs compensations, until one waits for an answer or none is left. Nothing happens while one
   * waits, unless the step's message is its answer.
   *
   * @return whether none is left
   */
  boolean run(SagaStep<S> step) throws Exception {
    if (stage == Stage.RUNS) {
      throw invalid("a compensation calls compensate(); the others follow by themselves", null);
    }
    requireNoneHasFailed();
    if (stage == Stage.WAITS && !isAnswered) {
      return false;
    }
    if (stage == Stage.WAITS) {
      isAnswered = false; // one message answers one compensation
      done.remove(done.size() - 1);
    }
    stage = Stage.RUNS;
    try {
      stage = runAll(step) ? Stage.OVER : Stage.WAITS;
    } catch (Throwable e) { // an Error, too: what it was to undo is not undone
      stage = Stage.FAILED;
      failure = e;
      throw e;
    }
    return stage == Stage.OVER;
  }

  private boolean runAll(SagaStep<S> step) throws Exception {
    while (!done.isEmpty()) {
      Undo<S> next = undo(newest());
      step.beginCompensation();
      next.compensation().compensate(step);
      if (step.waits()) {
        requireAnswers(next);
        return false;
      }
      done.remove(done.size() - 1);
    }
    return true;
  }

  private void requireAnswers(Undo<S> waiting) {
    if (waiting.answers().isEmpty()) {
      throw invalid(
          "the compensation \""
              + newest()
              + "\" waits, and no message is its answer; name its class at compensation(…)",
          null);
    }
  }

  /** What has failed is not undone: the transaction must not commit. */
  void requireNoneHasFailed() {
    if (stage == Stage.FAILED) {
      throw invalid(
          "a compensation failed, and the handler has caught its exception; let it pass, so that"
              + " the transaction rolls back and the message is tried again",
          failure);
    }
  }

  /** What is left would never be undone, if the saga ended now. */
  void requireNoneIsLeft() {
    if (stage == Stage.WAITS || stage == Stage.RUNS) {
      throw invalid(
          "a step calls end(), and these are not compensated for: "
              + String.join(", ", done)
              + "; compensate() ends the saga when nothing is left",
          null);
    }
  }

  private String newest() {
    return done.get(done.size() - 1);
  }

  private Undo<S> undo(String name) {
    Undo<S> found = definition.compensation(name);
    if (found == null) {
      throw invalid("there is no compensation \"" + name + "\"; add it by compensation(…)", null);
    }
    return found;
  }

  private ConfigurationException invalid(String what, @Nullable Throwable cause) {
    return new ConfigurationException(ErrorCode.INVALID_SAGA, "saga " + id + ": " + what, cause);
  }
}
