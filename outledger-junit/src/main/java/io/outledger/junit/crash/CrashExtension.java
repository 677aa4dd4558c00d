// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Runs a crash test as often as its first run had steps. */
final class CrashExtension implements TestTemplateInvocationContextProvider {

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getRequiredTestMethod(), CrashTest.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    int stepsMax =
        AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), CrashTest.class)
            .orElseThrow()
            .stepsMax();
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            new Runs(new CrashSeries(stepsMax)), Spliterator.ORDERED),
        false);
  }

  /** The number of runs is known when the first one has ended. */
  private static final class Runs implements Iterator<TestTemplateInvocationContext> {

    private final CrashSeries series;
    private int next;

    Runs(CrashSeries series) {
      this.series = series;
    }

    @Override
    public boolean hasNext() {
      return next <= series.steps().size();
    }

    @Override
    public TestTemplateInvocationContext next() {
      if (!hasNext()) {
        throw new NoSuchElementException("there are no more steps");
      }
      return new Run(series, next++);
    }
  }

  private record Run(CrashSeries series, int crashAt)
      implements TestTemplateInvocationContext, ParameterResolver {

    @Override
    public String getDisplayName(int invocationIndex) {
      return crashAt == 0 ? "no crash" : "crash " + series.steps().get(crashAt - 1);
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == CrashTrial.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return new CrashTrial(series, crashAt);
    }
  }
}
