/// A name of Apple's UIKit that a real client uses, where nothing is shown.
public final class UIViewController {}
