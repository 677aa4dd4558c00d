// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.listener;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A logger that keeps its lines, each with its level in front, from a level on. */
final class KeptLog extends LegacyAbstractLogger {

  private static final long serialVersionUID = 1L;

  private final transient List<String> lines = new ArrayList<>();
  private final Level lowest;

  KeptLog(Level lowest) {
    this.lowest = lowest;
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  private boolean keeps(Level level) {
    return level.toInt() >= lowest.toInt();
  }

  @Override
  public boolean isTraceEnabled() {
    return keeps(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return keeps(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return keeps(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return keeps(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return keeps(Level.ERROR);
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String pattern,
      Object @Nullable [] arguments,
      @Nullable Throwable thrown) {
    lines.add(level + " " + MessageFormatter.basicArrayFormat(pattern, arguments));
  }
}
