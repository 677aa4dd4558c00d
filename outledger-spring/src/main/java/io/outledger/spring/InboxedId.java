// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The expression for a message's id, and whether it can give one. */
final class InboxedId {

  private static final SpelExpressionParser PARSER = new SpelExpressionParser();
  private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  private InboxedId() {}

  /** Says what is wrong with the expression, as far as that is known without a message. */
  static Optional<String> problem(Method method, String text) {
    if (text.isBlank()) {
      return Optional.of("the id of its @Inboxed is empty. Write an expression such as #p0");
    }
    Expression parsed;
    try {
      parsed = PARSER.parseExpression(text);
    } catch (ParseException e) {
      return Optional.of(
          "the id of its @Inboxed, " + text + ", is no SpEL expression: " + e.getMessage());
    }
    return parsed instanceof SpelExpression spel
        ? variables(method, text, spel.getAST())
        : Optional.empty();
  }

  private static Optional<String> variables(Method method, String text, SpelNode root) {
    Set<String> used = new LinkedHashSet<>();
    boolean reads = collect(root, used);
    Set<String> parameters = parameters(method);
    for (String each : used) {
      if (!parameters.contains(each)) {
        return Optional.of(
            "the id of its @Inboxed, "
                + text
                + ", uses "
                + each
                + ", and its parameters are "
                + parameters
                + ". #p0 is the first one; its own name is known only if the class was compiled"
                + " with -parameters");
      }
    }
    return reads || !used.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the id of its @Inboxed, "
                + text
                + ", uses no parameter, so all messages would have the same one. A parameter is"
                + " written with #: #p0 is the first one");
  }

  // Returns whether something else than a parameter may tell messages apart.
  private static boolean collect(SpelNode node, Set<String> used) {
    boolean reads = node instanceof TypeReference;
    if (node instanceof VariableReference || node instanceof FunctionReference) {
      String name = node.toStringAST();
      if (!name.equals("#this") && !name.equals("#root")) {
        used.add(name);
      }
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      reads |= collect(node.getChild(i), used);
    }
    return reads;
  }

  // As MethodBasedEvaluationContext names them.
  private static Set<String> parameters(Method method) {
    Set<String> all = new LinkedHashSet<>();
    String[] names = NAMES.getParameterNames(method);
    for (int i = 0; i < method.getParameterCount(); i++) {
      all.add("#p" + i);
      all.add("#a" + i);
      if (names != null) {
        all.add("#" + names[i]);
      }
    }
    return all;
  }
}
