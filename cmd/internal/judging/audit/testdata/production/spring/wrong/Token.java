@Document(collection = "tokens")
public class Token {
  @Indexed(expireAfterSeconds = 0)
  private Date createdAt;

  @Indexed(expireAfter = "#{@settings.days}")
  private Date seenAt;
}
