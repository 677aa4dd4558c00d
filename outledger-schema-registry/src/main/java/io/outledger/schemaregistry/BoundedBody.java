// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes an answer of at most a number of bytes, and breaks off one that is larger. */
final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {

  /** The answer is larger than it may be. */
  static final class TooLargeException extends IOException {

    private static final long serialVersionUID = 1L;

    TooLargeException(String text) {
      super(text);
    }
  }

  private final int bytesMax;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  BoundedBody(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    for (ByteBuffer part : parts) {
      if (body.isDone()) {
        return;
      }
      if (part.remaining() > bytesMax - bytes.size()) {
        body.completeExceptionally(
            new TooLargeException("the answer has more than " + bytesMax + " bytes"));
        if (subscription != null) {
          subscription.cancel();
        }
        return;
      }
      byte[] copy = new byte[part.remaining()];
      part.get(copy);
      bytes.writeBytes(copy);
    }
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(bytes.toByteArray());
  }
}
